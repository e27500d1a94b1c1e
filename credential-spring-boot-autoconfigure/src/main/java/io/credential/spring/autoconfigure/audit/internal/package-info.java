/** The queue of audit events, and who acts. */
@NullMarked
package io.credential.spring.autoconfigure.audit.internal;

import org.jspecify.annotations.NullMarked;
