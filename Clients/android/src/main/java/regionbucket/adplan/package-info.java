/**
 * Which ad providers to try, in which order, and trying them.
 *
 * <p>Start at {@link regionbucket.adplan.AdStartup}, then {@link regionbucket.adplan.AdLoader}. Knows nothing
 * of the service: the region arrives through a {@link regionbucket.adplan.RegionLookup}.
 */
package regionbucket.adplan;
