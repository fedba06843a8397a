// Says who sent a request, by the assertion that Vestibule signed.
const { createRemoteJWKSet, jwtVerify } = require("jose");

/** A function from headers to claims; null unless the assertion is good and meant for this application. */
function verifier(keys, { issuer, audience }) {
  if (!issuer || !audience) throw new Error("issuer and audience are required");
  // Read once an hour, and when an assertion names an unknown key, at most once in ten seconds.
  const keySet = createRemoteJWKSet(new URL(keys), { cacheMaxAge: 3_600_000, cooldownDuration: 10_000 });
  return async (headers) => {
    try {
      const { payload, protectedHeader } = await jwtVerify(assertionOf(headers), keySet, {
        algorithms: ["ES256"], issuer, audience, requiredClaims: ["sub", "exp"],
      });
      return protectedHeader.kid && payload.sub && payload.exp ? payload : null;
    } catch {
      return null;
    }
  };
}

/** From the proxy in `Vestibule-Assertion`, from a script as a bearer token. */
function assertionOf(headers) {
  return headers["vestibule-assertion"] || /^Bearer (\S+)$/.exec(headers.authorization || "")?.[1] || "";
}

module.exports = { verifier };
