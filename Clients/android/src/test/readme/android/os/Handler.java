package android.os;

/** As much of Android's as the README uses. */
public final class Handler {
  public Handler(Looper looper) {}

  public boolean post(Runnable task) {
    task.run();
    return true;
  }
}
