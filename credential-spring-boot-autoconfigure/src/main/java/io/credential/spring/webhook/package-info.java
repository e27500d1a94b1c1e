/** Filter, authentication and controller arguments for incoming webhooks in servlet applications. */
@NullMarked
package io.credential.spring.webhook;

import org.jspecify.annotations.NullMarked;
