/** Auto-configuration of Credential: its properties, and what the features share. */
@NullMarked
package io.credential.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
