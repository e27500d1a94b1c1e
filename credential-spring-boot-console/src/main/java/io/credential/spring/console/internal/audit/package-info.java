/** The audit log. */
@NullMarked
package io.credential.spring.console.internal.audit;

import org.jspecify.annotations.NullMarked;
