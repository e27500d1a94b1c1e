/** Audit events and the sinks that receive them. */
@NullMarked
package io.credential.audit;

import org.jspecify.annotations.NullMarked;
