/** The keyring that seals stored data. */
@NullMarked
package io.credential.spring.autoconfigure.keyring;

import org.jspecify.annotations.NullMarked;
