/** Properties that signers and verifiers share. */
@NullMarked
package io.credential.spring.autoconfigure.properties.internal;

import org.jspecify.annotations.NullMarked;
