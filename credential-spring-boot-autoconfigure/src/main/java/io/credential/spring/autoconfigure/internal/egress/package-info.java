/** Destination policy, transport and SSL settings that the dispatcher and signers share. */
@NullMarked
package io.credential.spring.autoconfigure.internal.egress;

import org.jspecify.annotations.NullMarked;
