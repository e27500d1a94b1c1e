/** API keys as an authentication mechanism of Spring Security, and checks of their scopes. */
@NullMarked
package io.credential.spring.security;

import org.jspecify.annotations.NullMarked;
