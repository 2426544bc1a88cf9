/**
 * Asks the service for the bucket.
 *
 * <p>Start at {@link regionbucket.client.RegionResolver}. Nothing here knows of ads, writes to disk or logs.
 */
package regionbucket.client;
