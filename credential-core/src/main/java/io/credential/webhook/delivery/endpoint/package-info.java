/** X. */
@NullMarked
package io.credential.webhook.delivery.endpoint;

import org.jspecify.annotations.NullMarked;
