/** Auto-configuration of Credential: what the features share. */
@NullMarked
package io.credential.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
