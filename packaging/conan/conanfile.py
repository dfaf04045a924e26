# SPDX-License-Identifier: Apache-2.0
"""Conan 2 recipe: conan create packaging/conan"""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

required_conan_version = ">=2.0"


class LanefoldConan(ConanFile):
    name = "lanefold"
    description = "SYCL-2020-style work-group kernels at SIMD speed with any C++20 compiler"
    license = "Apache-2.0"
    topics = ("sycl", "simd", "work-groups", "opencl")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"tbb": [True, False], "gpu": [True, False], "fibers": [True, False]}
    default_options = {"tbb": True, "gpu": False, "fibers": False, "boost/*:without_fiber": False,
                       "boost/*:without_context": False}

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._root, "include", "lanefold", "version.hpp"))
        parts = [re.search(rf"define LANEFOLD_VERSION_{part} (\d+)", header) for part in ("MAJOR", "MINOR", "PATCH")]
        if not all(parts):
            raise ConanInvalidConfiguration("include/lanefold/version.hpp says no version")
        self.version = ".".join(part.group(1) for part in parts)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "simd/*", "modules/*", "gpu/*"):
            copy(self, pattern, self._root, self.export_sources_folder)

    def requirements(self):
        # The targets of the package name these packages.
        self.requires("xsimd/13.0.0", transitive_headers=True)
        if self.options.tbb:
            self.requires("onetbb/2021.12.0")
        if self.options.fibers:
            self.requires("boost/1.86.0")
        if self.options.gpu:
            self.requires("opencl-clhpp-headers/2023.12.14", transitive_headers=True)
            self.requires("opencl-icd-loader/2023.12.14")

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("lanefold has been built on Linux only")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES", "BENCHMARKS", "TOOLS"):
            toolchain.cache_variables[f"LANEFOLD_BUILD_{part}"] = False
        toolchain.cache_variables["LANEFOLD_INSTALL"] = True
        toolchain.cache_variables["LANEFOLD_TBB"] = bool(self.options.tbb)
        toolchain.cache_variables["LANEFOLD_GPU"] = bool(self.options.gpu)
        toolchain.cache_variables["LANEFOLD_BOOST_CONTEXT"] = bool(self.options.fibers)
        toolchain.cache_variables["LANEFOLD_BOOST_FIBER"] = bool(self.options.fibers)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # The package's own CMake files define lanefold::… and find what each component needs.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "lanefold"))
