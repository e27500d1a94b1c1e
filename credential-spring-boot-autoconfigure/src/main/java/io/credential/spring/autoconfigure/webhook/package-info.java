/** Signers and verifiers of webhooks from the properties, and the filter in front of their paths. */
@NullMarked
package io.credential.spring.autoconfigure.webhook;

import org.jspecify.annotations.NullMarked;
