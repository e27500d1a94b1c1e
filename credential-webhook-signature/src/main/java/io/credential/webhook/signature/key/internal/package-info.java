/** Reads the keys of webhook signatures, and signs and verifies bytes with them. */
@NullMarked
package io.credential.webhook.signature.key.internal;

import org.jspecify.annotations.NullMarked;
