/** The default audit trail: a log line for each event, and Actuator's audit events. */
@NullMarked
package io.credential.spring.autoconfigure.audit;

import org.jspecify.annotations.NullMarked;
