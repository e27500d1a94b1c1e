/** Formats in which senders sign webhooks, and the interface for further ones. */
@NullMarked
package io.credential.webhook.signature.scheme;

import org.jspecify.annotations.NullMarked;
