/** One attempt: checks the destination, signs, sends, evaluates the response. */
@NullMarked
package io.credential.webhook.delivery.internal.attempt;

import org.jspecify.annotations.NullMarked;
