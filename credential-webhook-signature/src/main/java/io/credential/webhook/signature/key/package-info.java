/** The identity of keys, without the keys. */
@NullMarked
package io.credential.webhook.signature.key;

import org.jspecify.annotations.NullMarked;
