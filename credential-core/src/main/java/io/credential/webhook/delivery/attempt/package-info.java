/** X. */
@NullMarked
package io.credential.webhook.delivery.attempt;

import org.jspecify.annotations.NullMarked;
