/** Signing outgoing bodies and verifying incoming ones, by HMAC or by post-quantum signatures. */
@NullMarked
package io.credential.webhook.signature;

import org.jspecify.annotations.NullMarked;
