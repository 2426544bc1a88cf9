package regionbucket.adplan;

/** What the person's consent allows, as far as a plan of ad providers needs it. Usable from any thread. */
public enum ConsentState {
  /** Not known yet: the form is due, or its answer has not arrived. */
  PENDING,
  /** Known, and ads of others may not be requested. */
  EXTERNAL_ADS_BLOCKED,
  /** Known, and ads may be requested. */
  ADS_ALLOWED
}
