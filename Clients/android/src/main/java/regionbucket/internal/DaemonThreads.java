package regionbucket.internal;

import java.util.concurrent.ThreadFactory;

/** Threads that keep no process alive. */
public final class DaemonThreads implements ThreadFactory {
  private final String name;

  /**
   * Makes threads of one name.
   *
   * @param name what debuggers show
   */
  public DaemonThreads(String name) {
    this.name = name;
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
