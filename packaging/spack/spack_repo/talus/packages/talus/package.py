# A recipe for Spack 1.0 or newer, of the git checkout that it lies in:
#   spack repo add packaging/spack/spack_repo/talus
#   spack install talus +cuda cuda_arch=90
import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.python import PythonExtension

from spack.package import *


class Talus(CMakePackage, CudaPackage, PythonExtension):
    """Cholesky, LU and QR of very many small dense matrices in one call, on the CPU or on an NVIDIA GPU."""

    git = f"file://{pathlib.Path(__file__).resolve().parents[6]}"

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("precisions", default="s,d,c,z", values=("s", "d", "c", "z"), multi=True,
            description="float, double, and complex numbers of both")
    variant("magma", default=True, when="+cuda", description="libtalus_magma, which has MAGMA's names")
    variant("python", default=False, description="The Python package")
    variant("tools", default=True, description="talus-bench and talus-tune")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.21:", type=("build", "test"))
    depends_on("openblas")
    depends_on("catch2", type="build")  # where the package is installed with --test
    with when("+cuda"):
        depends_on("cuda@12:")
    with when("+tools"):
        depends_on("cli11", type="build")
        depends_on("nlohmann-json", type="build")
    with when("+python"):
        extends("python@3.9:")
        depends_on("py-nanobind@2.10:", type="build")
        depends_on("py-typing-extensions", type="build", when="^python@:3.10")
        depends_on("py-numpy", type="run")

    conflicts("%gcc@:11", msg="Talus needs GCC 12 or newer, or Clang")
    conflicts("cuda_arch=none", when="+cuda", msg="which compute capability? cuda_arch=90 is Hopper's")

    def cmake_args(self):
        spec = self.spec
        args = [
            self.define("TALUS_CUDA", "ON" if spec.satisfies("+cuda") else "OFF"),
            self.define("TALUS_PRECISIONS", [p for p in "sdcz" if spec.satisfies(f"precisions={p}")]),
            self.define_from_variant("TALUS_BUILD_BENCH", "tools"),
            self.define_from_variant("TALUS_BUILD_TUNE", "tools"),
            self.define_from_variant("TALUS_BUILD_PYTHON", "python"),
            self.define("TALUS_BUILD_TESTS", self.run_tests),
            self.define("TALUS_BUILD_EXAMPLES", False),
        ]
        if spec.satisfies("+cuda"):
            architectures = [f"{capability}-real" for capability in spec.variants["cuda_arch"].value]
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", architectures))
            args.append(self.define_from_variant("TALUS_BUILD_MAGMA", "magma"))
        if spec.satisfies("+python"):
            args.append(self.define("Python_EXECUTABLE", spec["python"].command.path))
            args.append(self.define("TALUS_PYTHON_DIR", join_path(python_platlib, "talus")))
        return args

    @run_after("install")
    def keep_outside_projects(self):
        cache_extra_test_sources(self, join_path("tests", "install"))

    def test_find_package(self):
        """an outside project finds Talus, builds and runs"""
        if not self.spec.satisfies("precisions=s,d"):
            raise SkipTest("the project is of precisions s and d")
        cmake = self.spec["cmake"].command
        source = self.test_suite.current_test_cache_dir.tests.install
        with working_dir("outside", create=True):
            cmake(source, self.define("CMAKE_PREFIX_PATH", self.prefix))
            cmake("--build", ".")
            for user in ("./shared_user", "./static_user", "./c_user"):
                which(user, required=True)()

    def test_version(self):
        """the tools say what they are"""
        if not self.spec.satisfies("+tools"):
            raise SkipTest("the tools are not installed")
        for tool in ("talus-bench", "talus-tune"):
            program = which(join_path(self.prefix.bin, tool), required=True)
            assert "precisions: " in program("--version", output=str)

    def test_import(self):
        """Python imports the package"""
        if not self.spec.satisfies("+python"):
            raise SkipTest("the Python package is not installed")
        self.spec["python"].command("-c", "import talus; print(talus.__version__)")
