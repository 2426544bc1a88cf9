package regionbucket.internal;

/** What a time-out may be. */
public final class Timeouts {
  /** A day. More is a mistake, and sums of more could overflow. */
  public static final long MILLIS_MAX = 86_400_000;

  private Timeouts() {}

  /**
   * Checks a time-out.
   *
   * @param millis in milliseconds
   * @return the same
   * @throws IllegalArgumentException if it is not from 1 to {@link #MILLIS_MAX}
   */
  public static long checked(long millis) {
    if (millis < 1 || millis > MILLIS_MAX) {
      throw new IllegalArgumentException("a time-out is from 1 to " + MILLIS_MAX + " milliseconds");
    }
    return millis;
  }
}
