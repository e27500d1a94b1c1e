/** What all pages of the console share: routes, access, rendering, errors and assets. */
@NullMarked
package io.credential.spring.console.internal.web;

import org.jspecify.annotations.NullMarked;
