/** Time and the order of callbacks. No part of the contract: it may change with every version. */
package regionbucket.internal;
