/** Incoming webhooks of servlet applications: what is not signed does not get in. */
@NullMarked
package io.credential.spring.webhook;

import org.jspecify.annotations.NullMarked;
