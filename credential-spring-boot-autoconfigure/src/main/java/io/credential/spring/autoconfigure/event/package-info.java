/** The typed events of an application, found in its packages. */
@NullMarked
package io.credential.spring.autoconfigure.event;

import org.jspecify.annotations.NullMarked;
