/** Checks of options and headers that signing, sending and verifying share. */
@NullMarked
package io.credential.webhook.internal;

import org.jspecify.annotations.NullMarked;
