package android.net;

/** As much of Android's as the README uses. */
public final class TrafficStats {
  private TrafficStats() {}

  public static void setThreadStatsTag(int tag) {}
}
