/** The bucket, which both the client and the ad plan speak of. */
package regionbucket;
