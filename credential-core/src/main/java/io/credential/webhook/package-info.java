/** What all of the webhook side shares: its exception and the stable codes. */
@NullMarked
package io.credential.webhook;

import org.jspecify.annotations.NullMarked;
