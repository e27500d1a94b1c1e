/** Settings, controller arguments and refusals behind the API-key filter. */
@NullMarked
package io.credential.spring.security.internal;

import org.jspecify.annotations.NullMarked;
