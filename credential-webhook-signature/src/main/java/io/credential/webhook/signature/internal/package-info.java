/** Standard Webhooks signatures, and what all signatures share. */
@NullMarked
package io.credential.webhook.signature.internal;

import org.jspecify.annotations.NullMarked;
