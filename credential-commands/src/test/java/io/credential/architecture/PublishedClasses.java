package io.credential.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The classes of the libraries, without tests and fixtures. */
final class PublishedClasses {

    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/credential-testing/"))
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.credential");

    private PublishedClasses() {}
}
