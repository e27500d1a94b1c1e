/** Auto-configuration of the API-key filter and of the scope checks. */
@NullMarked
package io.credential.spring.autoconfigure.security;

import org.jspecify.annotations.NullMarked;
