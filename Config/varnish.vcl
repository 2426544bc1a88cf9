// Varnish between code at the edge and Region Bucket. It believes a bucket of the edge alone and keeps one answer per
// bucket. The service behind it runs behind-varnish.json5. Docs/caching.md says why each line that has to do with
// caching is as it is.
//
// What depends on the site stands on the lines that end in `// site: …`, once each; nothing else needs a change.
// Varnish's log in memory would hold addresses and headers; these options keep them out of it:
//
//   varnishd -f varnish.vcl -a 127.0.0.1:6081 -s malloc,16m
//     -p vsl_mask=-SessOpen,-Proxy,-ProxyGarbage,-HttpGarbage,-BogoHeader,-LostHeader,-ReqStart
//     -p vsl_mask=-ReqMethod,-ReqURL,-ReqHeader,-ReqUnset,-BereqMethod,-BereqURL,-BereqHeader,-BereqUnset
//
// Check with varnishd -C -f FILE. Clients reach Varnish through what terminates TLS and finds the bucket, never
// directly.
vcl 4.1;

import std;

backend region_bucket {
  .host = "127.0.0.1"; .port = "8080";                                                 // site: service
  .connect_timeout = 2s;
  .first_byte_timeout = 10s;
  .between_bytes_timeout = 10s;
}

// Who may say the bucket, the fingerprint of the policy behind it, and the client's address.
acl edges {
  "127.0.0.1"; "::1";                                                                  // site: edges
}

sub vcl_recv {
  // Where `region-bucket export varnish` finds the bucket, its call stands here, before all else: what it writes is
  // believed of the edge alone, and what it reads is forgotten below.
  if (client.ip !~ edges) {
    unset req.http.X-Region-Bucket;
    unset req.http.X-Region-Policy;
    set req.http.X-Forwarded-For = client.ip;
  } else {
    // Varnish has appended the edge's own address; what is left is the edge's word.
    set req.http.X-Forwarded-For = regsub(req.http.X-Forwarded-For, ",?[ \t]*[^,]*$", "");
  }
  // Nothing here or behind reads any of these; Varnish itself would answer a part of what it keeps to the first.
  unset req.http.Range;
  unset req.http.Cookie;
  unset req.http.Authorization;
  unset req.http.User-Agent;
  unset req.http.Referer;
  call forget_locations;

  // A bucket and a fingerprint, or nothing: what keys the cache has to be whole.
  if (req.http.X-Region-Bucket !~ "^(regionalMarket|otherMarket|unknown)$" ||
      req.http.X-Region-Policy !~ "^[0-9a-f]{16}$") {
    unset req.http.X-Region-Bucket;
    unset req.http.X-Region-Policy;
  }
  // Never pipe: behind a method that Varnish does not know, another request could hide.
  if ((req.method != "GET" && req.method != "HEAD") || req.url !~ "^/v1/region(\?|$)" || !req.http.X-Region-Bucket) {
    return (pass);
  }
  return (hash);
}

// Location headers that the service can be told to read: no client's copy of any gets to it.
sub forget_locations {
  unset req.http.CloudFront-Viewer-Country;
  unset req.http.CloudFront-Viewer-Country-Region;
  unset req.http.CloudFront-Viewer-City;
  unset req.http.CloudFront-Viewer-Address;
  unset req.http.CF-IPCountry;
  unset req.http.cf-region-code;
  unset req.http.cf-ipcity;
  unset req.http.CF-Connecting-IP;
  unset req.http.X-Geo-Country;
  unset req.http.X-Geo-Region;
  unset req.http.X-Geo-City;
  unset req.http.Fastly-Client-IP;
  unset req.http.X-Akamai-Edgescape;
  unset req.http.True-Client-IP;
  unset req.http.X-Client-Geo-Location;
  unset req.http.X-Client-Geo-Subdivision;
  unset req.http.X-Appengine-Country;
  unset req.http.X-Appengine-Region;
  unset req.http.X-Appengine-City;
  unset req.http.X-Appengine-User-IP;
  unset req.http.X-Azure-SocketIP;
  unset req.http.x-vercel-ip-country;
  unset req.http.x-vercel-ip-country-region;
  unset req.http.x-vercel-ip-city;
  unset req.http.x-country;
  unset req.http.x-nf-geo;
  unset req.http.x-nf-client-connection-ip;
  unset req.http.CDN-RequestCountryCode;
  unset req.http.CDN-RequestStateCode;
  unset req.http.X-Country-Code;
  unset req.http.ali-ip-country;
  unset req.http.ali-ip-city;
  unset req.http.ali-real-client-ip;
  unset req.http.Fly-Client-IP;
  unset req.http.X-Real-IP;
  unset req.http.Forwarded;
}

// The whole key, whatever the query and the host.
sub vcl_hash {
  hash_data(req.http.X-Region-Bucket);
  hash_data(req.http.X-Region-Policy);
  return (lookup);
}

sub vcl_backend_response {
  if (!bereq.uncacheable && beresp.status == 200 && beresp.http.Surrogate-Control ~ "^max-age=[0-9]+$") {
    set beresp.ttl = std.duration(regsub(beresp.http.Surrogate-Control, "^max-age=", "") + "s", 0s);
    // Not a second longer than was granted.
    set beresp.grace = 0s;
    set beresp.keep = 0s;
  } else {
    // Remembered as not to be kept, so that requests with the same key do not wait for each other.
    set beresp.ttl = 120s;
    set beresp.uncacheable = true;
  }
  // Caches outside would obey it.
  unset beresp.http.Surrogate-Control;
  return (deliver);
}

sub vcl_deliver {
  unset resp.http.X-Varnish;
  unset resp.http.Via;
  return (deliver);
}

// Varnish's own words, in the form of the service's.
sub vcl_backend_error {
  set beresp.http.Content-Type = "application/problem+json";
  set beresp.http.Cache-Control = "private, no-store";
  set beresp.http.Access-Control-Allow-Origin = "*";
  set beresp.http.Retry-After = "5";
  set beresp.body = {"{"type":"about:blank","title":"Service Unavailable","status":503}"};
  set beresp.status = 503;
  set beresp.reason = "Service Unavailable";
  set beresp.ttl = 0s;
  set beresp.uncacheable = true;
  return (deliver);
}

sub vcl_synth {
  set resp.http.Content-Type = "application/problem+json";
  set resp.http.Cache-Control = "private, no-store";
  set resp.http.Access-Control-Allow-Origin = "*";
  set resp.body = {"{"type":"about:blank","status":"} + resp.status + "}";
  return (deliver);
}
