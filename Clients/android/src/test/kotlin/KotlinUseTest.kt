package regionbucket.kotlin

import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertSame
import org.junit.Test
import readme.ad
import readme.bucket
import readme.plan
import regionbucket.RegionBucket
import regionbucket.RegionCallback
import regionbucket.adplan.AdLoader
import regionbucket.adplan.AdPolicy
import regionbucket.adplan.AdProvider
import regionbucket.adplan.AdSource
import regionbucket.adplan.AdStartup
import regionbucket.adplan.ConsentState
import regionbucket.adplan.RegionLookup
import regionbucket.client.RegionEndpoint
import regionbucket.client.RegionLimits
import regionbucket.client.RegionRefusal
import regionbucket.client.RegionResolver
import regionbucket.client.RegionResponse
import regionbucket.client.RegionTransport
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executor

/** The README's suspend functions, and that the library reads like one of Kotlin's own. */
class KotlinUseTest {
  private val endpoint = RegionEndpoint("https://region.example.com/v1/region", setOf("region.example.com"))
  private val atOnce = Executor { it.run() }

  private fun saying(body: String) = RegionResponse(200, "application/json", body.toByteArray())

  private fun resolver(transport: RegionTransport) =
    RegionResolver(endpoint, RegionLimits.DEFAULT, transport, atOnce)

  @Test
  fun suspends() = runBlocking {
    val gate = CountDownLatch(1)
    val resolver = resolver(RegionTransport {
      gate.await()
      saying("""{"bucket":"regionalMarket"}""")
    })
    val waiting = async(start = CoroutineStart.UNDISPATCHED) { resolver.bucket() }
    gate.countDown()
    assertEquals(RegionBucket.REGIONAL_MARKET, waiting.await())
    assertNull(resolver.refusal)
  }

  @Test
  fun cancelledCoroutineLeavesTheOthers() = runBlocking {
    val gate = CountDownLatch(1)
    val resolver = resolver(RegionTransport {
      gate.await()
      saying("""{"bucket":"otherMarket"}""")
    })
    val leaving = launch(Dispatchers.Default, CoroutineStart.UNDISPATCHED) { resolver.bucket() }
    val staying = async(Dispatchers.Default, CoroutineStart.UNDISPATCHED) { resolver.bucket() }
    leaving.cancelAndJoin()
    gate.countDown()
    assertEquals(RegionBucket.OTHER_MARKET, staying.await())
  }

  @Test
  fun failureIsUnknown() = runBlocking {
    val resolver = resolver(RegionTransport { saying("regionalMarket") })
    assertEquals(RegionBucket.UNKNOWN, resolver.bucket())
    assertEquals(RegionRefusal.BODY, resolver.refusal)
  }

  @Test
  fun planAndAd() = runBlocking {
    val lookups = mutableListOf<RegionCallback>()
    val startup = AdStartup(AdPolicy.STANDARD, RegionLookup { lookups += it }, atOnce)
    val waiting = async(start = CoroutineStart.UNDISPATCHED) { startup.plan(ConsentState.ADS_ALLOWED) }
    lookups.single().onRegion(RegionBucket.REGIONAL_MARKET)
    val plan = waiting.await()
    assertEquals(listOf(AdProvider.REGIONAL, AdProvider.GLOBAL, AdProvider.IN_HOUSE), plan.providers)
    assertSame(plan, startup.plan(ConsentState.ADS_ALLOWED))

    val sources = mapOf(
      AdProvider.REGIONAL to AdSource<String>(5_000) { it.fail("no fill") },
      AdProvider.GLOBAL to AdSource<String>(5_000) { it.deliver("an ad") })
    val loaded = AdLoader(plan.providers, sources, AdLoader.InHouse { "own content" }, atOnce).ad()
    assertEquals(AdProvider.GLOBAL, loaded?.provider)
    assertEquals("an ad", loaded?.ad)
  }

  @Test
  fun policyOfTheAppsOwn() {
    val policy = AdPolicy { consent, region ->
      when (consent) {
        ConsentState.PENDING, ConsentState.EXTERNAL_ADS_BLOCKED -> listOf(AdProvider.IN_HOUSE)
        ConsentState.ADS_ALLOWED -> when (region) {
          RegionBucket.REGIONAL_MARKET -> listOf(AdProvider.REGIONAL)
          RegionBucket.OTHER_MARKET, RegionBucket.UNKNOWN -> listOf(AdProvider.GLOBAL)
        }
      }
    }
    assertEquals(false, policy.needsRegion(ConsentState.PENDING))
    assertEquals(true, policy.needsRegion(ConsentState.ADS_ALLOWED))
  }
}
