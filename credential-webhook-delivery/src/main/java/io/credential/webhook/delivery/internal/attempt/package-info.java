/** What an attempt uses: signs, sends, evaluates the response, and decides what follows. */
@NullMarked
package io.credential.webhook.delivery.internal.attempt;

import org.jspecify.annotations.NullMarked;
