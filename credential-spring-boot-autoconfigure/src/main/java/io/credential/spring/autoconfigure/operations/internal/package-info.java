/** Configurations of the services for operators, which are imported where one is needed. */
@NullMarked
package io.credential.spring.autoconfigure.operations.internal;

import org.jspecify.annotations.NullMarked;
