/** One attempt: vet, sign, send, judge. */
@NullMarked
package io.credential.webhook.delivery.attempt;

import org.jspecify.annotations.NullMarked;
