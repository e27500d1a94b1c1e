package io.credential.spring.architecture;

import java.nio.file.Path;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

/** The classes of this module, read once; a search of the whole class path for their package would take seconds. */
final class OwnClasses {

    static final JavaClasses ALL = new ClassFileImporter().importPath(Path.of("target", "classes"));

    private OwnClasses() {}
}
