/** Pages about endpoints: what is registered, and changing it. */
@NullMarked
package io.credential.spring.console.internal.endpoint;

import org.jspecify.annotations.NullMarked;
