/** X. */
@NullMarked
package io.credential.webhook.delivery.engine;

import org.jspecify.annotations.NullMarked;
