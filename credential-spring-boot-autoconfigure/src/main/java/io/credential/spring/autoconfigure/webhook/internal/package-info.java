/** Loads the keys of signers and verifiers. */
@NullMarked
package io.credential.spring.autoconfigure.webhook.internal;

import org.jspecify.annotations.NullMarked;
