/** The operator's console: web pages to see, search and steer what Credential does in an application. */
@NullMarked
package io.credential.spring.console;

import org.jspecify.annotations.NullMarked;
