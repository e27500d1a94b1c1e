/** Vets destinations, and sends requests only to vetted addresses. */
@NullMarked
package io.credential.webhook.http.internal;

import org.jspecify.annotations.NullMarked;
