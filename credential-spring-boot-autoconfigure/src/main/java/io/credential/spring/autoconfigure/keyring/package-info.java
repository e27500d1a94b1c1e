/** The keyring that seals what is stored. */
@NullMarked
package io.credential.spring.autoconfigure.keyring;

import org.jspecify.annotations.NullMarked;
