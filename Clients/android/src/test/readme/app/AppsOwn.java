package app;

import regionbucket.adplan.AdReply;

/** What the README's examples take for granted. */
public class AppsOwn {
  /** A view of the app's. */
  public static final class Banner {}

  public static void loadRegional(AdReply<Banner> reply) {
    reply.fail("no fill");
  }

  public static void loadGlobal(AdReply<Banner> reply) {
    reply.fail("no fill");
  }

  public static Banner ownContent() {
    return new Banner();
  }

  public static void show(Banner banner) {}
}
