#include "io/foreign_samples.h"

namespace skincells::test {
namespace {

const std::string kFbxHead = R"(; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXHeaderVersion: 1003
	FBXVersion: 7400
}
)";

std::string fbxSettings(int up, int front, int front_sign, double unit_in_cm) {
  const auto property = [](const std::string& name, int value) {
    return "\t\tP: \"" + name + "\", \"int\", \"Integer\", \"\"," + std::to_string(value) + "\n";
  };
  return "GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n" + property("UpAxis", up) +
         property("UpAxisSign", 1) + property("FrontAxis", front) + property("FrontAxisSign", front_sign) +
         property("CoordAxis", 0) + property("CoordAxisSign", 1) +
         "\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\"," + std::to_string(unit_in_cm) + "\n\t}\n}\n";
}

std::string fbxTriangle(int id, const std::string& vertices) {
  return "\tGeometry: " + std::to_string(id) +
         ", \"Geometry::\", \"Mesh\" {\n\t\tVertices: *9 {\n\t\t\ta: " + vertices +
         "\n\t\t}\n\t\tPolygonVertexIndex: *3 {\n\t\t\ta: 0,1,-3\n\t\t}\n\t}\n";
}

std::string fbxModel(int id, const std::string& name, const std::string& type, const std::string& properties) {
  return "\tModel: " + std::to_string(id) + ", \"Model::" + name + "\", \"" + type +
         "\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n" + properties + "\t\t}\n\t}\n";
}

std::string fbxVector(const std::string& name, const std::string& values) {
  return "\t\t\tP: \"" + name + "\", \"Vector3D\", \"Vector\", \"\"," + values + "\n";
}

// A skin with one cluster that holds the three vertices of a triangle.
std::string fbxSkin(int skin, int cluster, const std::string& transform, const std::string& transform_link) {
  return "\tDeformer: " + std::to_string(skin) +
         ", \"Deformer::\", \"Skin\" {\n\t\tVersion: 101\n\t}\n\tDeformer: " + std::to_string(cluster) +
         ", \"SubDeformer::\", \"Cluster\" {\n\t\tVersion: 100\n\t\tIndexes: *3 {\n\t\t\ta: 0,1,2\n\t\t}\n"
         "\t\tWeights: *3 {\n\t\t\ta: 1,1,1\n\t\t}\n\t\tTransform: *16 {\n\t\t\ta: " +
         transform + "\n\t\t}\n\t\tTransformLink: *16 {\n\t\t\ta: " + transform_link + "\n\t\t}\n\t}\n";
}

const std::string kIdentity = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1";

} // namespace

std::string sampleObj() {
  return "o panel\nv 0 0 0\nv 1 0 0\nv 0 1.8 0\nf 1 2 3\n";
}

std::string samplePivotFbx(RotationPivot pivot) {
  const std::string bone = fbxVector("PreRotation", "0,0,90") +
                           (pivot == RotationPivot::With ? fbxVector("RotationPivot", "0,1,0") : "") +
                           "\t\t\tP: \"RotationActive\", \"bool\", \"\", \"\",1\n"
                           "\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,0,1\n";
  return kFbxHead + fbxSettings(2, 1, -1, 100) + "Objects:  {\n" + fbxTriangle(1, "0,0,0,1,0,0,0,0,1.8") +
         fbxModel(2, "panel", "Mesh", "") + fbxModel(3, "bone", "LimbNode", bone) +
         "\tNodeAttribute: 4, \"NodeAttribute::\", \"LimbNode\" {\n\t\tTypeFlags: \"Skeleton\"\n\t}\n" +
         fbxSkin(5, 6, "0,-1,0,0,1,0,0,0,0,0,1,0,0,0,-1,1", "0,1,0,0,-1,0,0,0,0,0,1,0,0,0,1,1") +
         "\tAnimationStack: 7, \"AnimStack::Turn\", \"\" {\n\t}\n"
         "\tAnimationLayer: 8, \"AnimLayer::Base\", \"\" {\n\t}\n"
         "\tAnimationCurveNode: 9, \"AnimCurveNode::R\", \"\" {\n\t\tProperties70:  {\n"
         "\t\t\tP: \"d|X\", \"Number\", \"\", \"A\",0\n\t\t\tP: \"d|Y\", \"Number\", \"\", \"A\",0\n"
         "\t\t\tP: \"d|Z\", \"Number\", \"\", \"A\",0\n\t\t}\n\t}\n"
         "\tAnimationCurve: 10, \"AnimCurve::\", \"\" {\n\t\tDefault: 0\n\t\tKeyVer: 4008\n"
         "\t\tKeyTime: *2 {\n\t\t\ta: 0,46186158000\n\t\t}\n\t\tKeyValueFloat: *2 {\n\t\t\ta: 0,90\n\t\t}\n\t}\n"
         "}\nConnections:  {\n\tC: \"OO\",2,0\n\tC: \"OO\",3,0\n\tC: \"OO\",4,3\n\tC: \"OO\",1,2\n\tC: \"OO\",5,1\n"
         "\tC: \"OO\",6,5\n\tC: \"OO\",3,6\n\tC: \"OO\",8,7\n\tC: \"OO\",9,8\n\tC: \"OP\",9,3, \"Lcl Rotation\"\n"
         "\tC: \"OP\",10,9, \"d|X\"\n}\n";
}

std::string sampleTwoMeshFbx() {
  return kFbxHead + fbxSettings(1, 2, 1, 1) + "Objects:  {\n" + fbxTriangle(1, "0,0,0,100,0,0,0,180,0") +
         fbxTriangle(11, "-10,0,0,90,0,0,-10,-50,0") + fbxModel(2, "upper", "Mesh", "") +
         fbxModel(12, "lower", "Mesh", "\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",10,0,0\n") +
         fbxModel(3, "bone", "LimbNode", "") +
         "\tNodeAttribute: 4, \"NodeAttribute::\", \"LimbNode\" {\n\t\tTypeFlags: \"Skeleton\"\n\t}\n" +
         fbxSkin(5, 6, kIdentity, kIdentity) + fbxSkin(15, 16, "1,0,0,0,0,1,0,0,0,0,1,0,10,0,0,1", kIdentity) +
         "}\nConnections:  {\n\tC: \"OO\",2,0\n\tC: \"OO\",12,0\n\tC: \"OO\",3,0\n\tC: \"OO\",4,3\n\tC: \"OO\",1,2\n"
         "\tC: \"OO\",11,12\n\tC: \"OO\",5,1\n\tC: \"OO\",15,11\n\tC: \"OO\",6,5\n\tC: \"OO\",16,15\n\tC: \"OO\",3,6\n"
         "\tC: \"OO\",3,16\n}\n";
}

std::string sampleDae() {
  return R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g" name="tetra"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 100 0 0 0 100 0 0 0 180</float_array><technique_common>
<accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
</technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 1 2 3 2 0 3</p></triangles>
</mesh></geometry></library_geometries>
<library_controllers><controller id="c"><skin source="#g">
<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>
<source id="j"><Name_array id="ja" count="2">A B</Name_array><technique_common><accessor source="#ja" count="2" stride="1">
<param name="JOINT" type="name"/></accessor></technique_common></source>
<source id="m"><float_array id="ma" count="32">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 0 0 0 1 -90 0 0 0 1</float_array>
<technique_common><accessor source="#ma" count="2" stride="16"><param name="TRANSFORM" type="float4x4"/></accessor></technique_common></source>
<source id="w"><float_array id="wa" count="2">0.5 1</float_array><technique_common><accessor source="#wa" count="2" stride="1">
<param name="WEIGHT" type="float"/></accessor></technique_common></source>
<joints><input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" source="#m"/></joints>
<vertex_weights count="4"><input semantic="JOINT" source="#j" offset="0"/><input semantic="WEIGHT" source="#w" offset="1"/>
<vcount>1 2 2 1</vcount><v>0 1 0 0 1 0 0 0 1 0 1 1</v></vertex_weights>
</skin></controller></library_controllers>
<library_visual_scenes><visual_scene id="s" name="scene">
<node id="A" sid="A" name="A" type="JOINT"><node id="B" sid="B" name="B" type="JOINT"><translate>0 0 90</translate></node></node>
<node id="n" name="body"><instance_controller url="#c"><skeleton>#A</skeleton></instance_controller></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
)";
}

} // namespace skincells::test
