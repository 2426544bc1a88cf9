package regionbucket;

/** Somebody who waits, and may stop waiting. */
public interface Cancellable {
  /**
   * Stops waiting. Nobody else notices. Once this has returned on the thread that the callback would come on,
   * the callback does not come any more. Does nothing behind the callback, or a second time. Usable from any
   * thread.
   */
  void cancel();
}
